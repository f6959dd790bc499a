export const initialPrefs = {
  density: 'normal', showsEmptyLanes: true, showsNumbers: false, sorts: {}, view: 'board',
};

const CHOICES = {
  density: ['compact', 'normal', 'wide'],
  showsEmptyLanes: [true, false],
  showsNumbers: [true, false],
  view: ['board', 'list', 'archive', 'numbers'],
};

export function prefsReducer(prefs, action) {
  switch (action.type) {
    case 'prefs/chosen': {
      const isKnown = CHOICES[action.key]?.includes(action.value);
      return isKnown ? { ...prefs, [action.key]: action.value } : prefs;
    }
    case 'columns/sorted':
      return { ...prefs, sorts: { ...prefs.sorts, [action.id]: action.by } };
    case 'columns/removed': {
      const { [action.id]: _, ...sorts } = prefs.sorts;
      return { ...prefs, sorts };
    }
    default:
      return prefs;
  }
}
