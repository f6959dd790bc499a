// How the person makes the workbook look.
import { columnName } from '../src/addresses.mjs';
import { chartView } from '../src/charts.mjs';
import { bestWidth, grid, selectionSummary } from '../src/view.mjs';

const activeSheet = ({ state }) => state.workbook.sheets[state.active];

export function changeStyles(hands) {
  hands.open(hands.pick(['Expenses', 'Overview', 'Team']));
  hands.select(hands.pick(['A1:F1', 'A4:F4', 'B3:D3']));
  hands.do('style/toggled', { name: 'bold' });
  if (hands.chance(0.5)) {
    hands.do('style/applied', { name: 'fill', value: hands.pick(['gold', 'mint']) });
  }
  if (hands.chance(0.3)) hands.do('style/applied', { name: 'align', value: 'center' });
  hands.select(hands.pick(['D6:D9', 'C5:C8']));
  hands.do('format/placesChanged', { by: hands.pick([1, -1]) });
  hands.do('format/placesChanged', { by: 1 });
  if (hands.chance(0.3)) {
    hands.do('format/applied', { format: hands.pick(['#,##0.00 €', '0.00']) });
  }
  if (hands.chance(0.3)) hands.do('style/cleared');
  if (hands.chance(0.4)) {
    hands.click('A4');
    hands.do('format/brushed', { range: { top: 3, left: 1, bottom: 3, right: 4 } });
  }
  const column = hands.number(0, 4);
  const width = hands.chance(0.5) ? bestWidth(hands.state, column) : hands.number(10, 140);
  hands.do('column/resized', { column, width });
  if (hands.chance(0.2)) hands.do('column/resized', { column });
}

export function highlightAmounts(hands) {
  hands.open('Expenses');
  hands.select('D6:D40');
  const highlight = hands.pick([
    { kind: 'meets', condition: '>400', style: { fill: 'salmon' } },
    { kind: 'above', style: { weight: 'bold' } },
    { kind: 'scale', colors: [[255, 255, 255], [255, 80, 80]] },
    { kind: 'repeats', style: { color: 'red' } },
  ]);
  hands.do('highlight/added', { highlight });
  grid(hands.state);
  const { highlights } = activeSheet(hands);
  if (highlights.length > 1) hands.do('highlight/raised', { id: highlights[1].id });
  if (highlights.length > 2) hands.do('highlight/removed', { id: highlights[0].id });
}

export function drawChart(hands) {
  hands.open('Overview');
  hands.select('A5:B10');
  hands.do('chart/added', { kind: hands.pick(['column', 'line', 'pie']) });
  const { charts } = activeSheet(hands);
  const { id } = charts[charts.length - 1];
  hands.do('chart/titled', { id, title: hands.pick(['Costs', 'Where the money goes', '']) });
  if (hands.chance(0.5)) {
    hands.select('C5:C10');
    hands.do('chart/extended', { id });
  }
  if (hands.chance(0.5)) hands.do('chart/changed', { id, kind: 'pie' });
  for (const chart of activeSheet(hands).charts) chartView(hands.state, activeSheet(hands), chart);
  if (charts.length > 2) hands.do('chart/removed', { id: charts[0].id });
}

export function arrangePanes(hands) {
  hands.open(hands.pick(['Expenses', 'Team']));
  hands.do('panes/frozen', hands.pick([{ rows: 1, columns: 0 }, { rows: 0, columns: 0 }]));
  hands.do('view/resized', { rows: hands.number(18, 34), columns: hands.number(7, 12) });
  hands.do('view/scrolled', { row: hands.number(0, 20), column: hands.number(-1, 3) });
  grid(hands.state);
  hands.select(`A${hands.number(14, 16)}:A${hands.number(17, 18)}`);
  hands.do('rows/hidden');
  selectionSummary(hands.state);
  hands.do('rows/shown');
  hands.click(`${columnName(hands.number(0, 3))}3`);
}
