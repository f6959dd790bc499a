export function rule({ chats }) {
  const counted = Object.values(chats.byId)
    .filter(({ isMuted, isArchived }) => !isMuted && !isArchived)
    .reduce((sum, { unread }) => sum + unread, 0);
  return chats.badge === counted || `the icon says ${chats.badge}, the chats have ${counted}`;
}
