// The page of `credence report --interactive`: the views that need no server, over the tables inside the file.
import './style/base.css';
import './style/parts.css';
import './style/charts.css';
import { render } from 'preact';
import { App } from './app';
import { EngineContext } from './lib/engine';
import { followLinks } from './lib/route';
import { localEngine, type ReportData } from './lib/local';
import { Ask } from './views/ask';
import { ColumnView } from './views/column';
import { Overview } from './views/overview';

const views = [
  { id: 'overview', title: 'Overview', component: Overview },
  { id: 'column', title: 'Column', component: ColumnView },
  { id: 'ask', title: 'Ask', component: Ask },
];

const page = document.getElementById('page');
const text = document.getElementById('data')?.textContent ?? '';
if (page && text.trim()) {
  const data = JSON.parse(text) as ReportData;
  followLinks();
  render(
    <EngineContext.Provider value={localEngine(data)}>
      <App views={views} />
    </EngineContext.Provider>,
    page,
  );
} else if (page) {
  page.textContent = 'This report holds no data.';
}
