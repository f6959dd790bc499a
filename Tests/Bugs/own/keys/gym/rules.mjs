export function rule({ bookings }) {
  const classes = Object.values(bookings)
    .filter(({ status }) => status !== 'cancelled').map(({ classId }) => classId);
  const twice = classes.find((id, at) => classes.indexOf(id) !== at);
  return !twice || `${twice} is booked twice`;
}
