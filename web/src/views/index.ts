// All views of the page, in the order of its list.
import type { View } from '../app';
import { Ask } from './ask';
import { ColumnView } from './column';
import { Compare } from './compare';
import { Judge } from './judge';
import { Learn } from './learn';
import { Overview } from './overview';
import { Plane } from './plane';
import { Teach } from './teach';
import { TextView } from './text';
import { Try } from './try';

export const views: View[] = [
  { id: 'overview', title: 'Overview', component: Overview },
  { id: 'column', title: 'Column', component: ColumnView, fits: (m) => !m.logistic },
  { id: 'plane', title: 'Plane', component: Plane, fits: (m) => !m.logistic && m.schema.columns.filter((c) => c.kind === 'number' || c.kind === 'category').length > 1 },
  { id: 'ask', title: 'Ask', component: Ask },
  { id: 'text', title: 'Text', component: TextView, fits: (m) => m.schema.columns.some((c) => c.kind === 'text') },
  { id: 'judge', title: 'Judge', component: Judge },
  { id: 'teach', title: 'Teach', component: Teach, fits: (m) => !m.logistic },
  { id: 'compare', title: 'Compare', component: Compare },
  { id: 'try', title: 'Try your own', component: Try, alone: true },
  { id: 'learn', title: 'Learn', component: Learn, alone: true },
];
