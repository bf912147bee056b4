// The page of `credence serve`.
import './style/fonts.css';
import './style/base.css';
import './style/parts.css';
import './style/charts.css';
import { render } from 'preact';
import { App } from './app';
import { EngineContext, serverEngine } from './lib/engine';
import { followLinks } from './lib/route';
import { views } from './views';

const page = document.getElementById('page');
if (page) {
  page.replaceChildren();
  followLinks();
  render(
    <EngineContext.Provider value={serverEngine()}>
      <App views={views} />
    </EngineContext.Provider>,
    page,
  );
}
