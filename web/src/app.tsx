// The frame: name, model, the list of views, light and dark; and the view itself.
import type { ComponentType, JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { askAgain, useAnswer } from './lib/answer';
import { calls } from './lib/calls';
import { addressOf, go, usePlace } from './lib/route';
import { SharedContext, type Shared } from './lib/state';
import { useTheme } from './lib/theme';
import type { Home, ModelAnswer, ModelName } from './lib/types';
import { Note, Waiting } from './parts/note';

export interface View {
  id: string;
  title: string;
  component: ComponentType;
  /** Whether it can be drawn without a model. */
  alone?: boolean;
  /** Whether it has something to show for this model. */
  fits?: (model: ModelAnswer) => boolean;
}

export function App({ views }: { views: View[] }): JSX.Element {
  const place = usePlace();
  const home = useAnswer<Home>(calls.home());
  const models = home.data?.models ?? [];
  const wanted = place.params.get('model');
  const listed = wanted ? (models.find((m) => m.name === wanted) ?? unlisted(wanted)) : models[0];
  const asked = useMemo(() => (listed ? calls.model(listed.name) : null), [listed?.name]);
  const model = useAnswer<ModelAnswer>(asked, false);
  const data = model.data;
  const view = views.find((v) => v.id === place.view) ?? views[0];
  const shown = views.filter((v) => v.id === view?.id || !v.fits || (data && v.fits(data)));
  useEffect(() => {
    // Somebody else may have taught the model while the page was out of sight.
    const again = (): void => void (document.visibilityState === 'visible' && askAgain());
    document.addEventListener('visibilitychange', again);
    return () => document.removeEventListener('visibilitychange', again);
  }, []);
  useEffect(() => {
    document.title = [view?.title, listed?.name, 'credence'].filter(Boolean).join(' · ');
  }, [view, listed?.name]);
  const shared: Shared | null = listed && data ? { name: listed.name, model: data, listed, models } : null;
  // An address may ask for what this kind of model does not have.
  const unfit = Boolean(data?.logistic && view?.fits && !view.fits(data));
  const Shown = unfit ? undefined : view?.component;
  return (
    <SharedContext.Provider value={shared}>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.getElementById('main')?.focus(); }}>to the content</a>
      <Head views={shown} view={view} models={models} listed={listed} />
      <main id="main" tabIndex={-1}>
        <Waiting on={home} />
        {home.data && !view?.alone && <Waiting on={model} />}
        {home.data && !listed && !view?.alone && <Note>No model is served here. <a href={addressOf('try')}>Try your own table</a>, or <a href={addressOf('learn')}>read a story</a>.</Note>}
        {unfit && <Note>A logistic model has coefficients, not densities: there is nothing to show here. <a href={addressOf('ask')}>Ask it</a></Note>}
        {Shown && home.data && (shared || view?.alone) && <Shown key={`${view?.id} ${listed?.name}`} />}
      </main>
      <footer class="foot">credence {home.data?.version}</footer>
    </SharedContext.Provider>
  );
}

/** A model that an address names but the list does not: those of stories. */
const unlisted = (name: string): ModelName => ({ name, target: '', rows: null, classes: [], learn: false, data: false });

interface HeadProps {
  views: View[];
  view: View | undefined;
  models: ModelName[];
  listed: ModelName | undefined;
}

function Head({ views, view, models, listed }: HeadProps): JSX.Element {
  const [theme, next] = useTheme();
  // On a phone the list of views is wider than the screen: the one we are in comes into sight.
  useEffect(() => document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' }), [view?.id]);
  const names = models.map((m) => m.name);
  if (listed && !names.includes(listed.name)) names.push(listed.name);
  const choose = (name: string): void => go(view?.alone ? 'overview' : (view?.id ?? 'overview'), { model: name, row: undefined, rule: undefined, prior: undefined });
  return (
    <header class="head">
      <div class="bar-top">
        <a class="brand" href={addressOf('overview')}>credence</a>
        {names.length > 1 ? (
          <label class="model-choice">
            <span class="hidden-text">Model</span>
            <select value={listed?.name} onChange={(event) => choose(event.currentTarget.value)}>
              {names.map((name) => <option key={name} value={name}>{name}</option>)}
            </select>
          </label>
        ) : (
          <span class="model-choice">{listed?.name}</span>
        )}
        <button type="button" class="theme" onClick={next} aria-label={`colours: ${theme}; change`}>
          <span aria-hidden="true">{{ system: '◐', light: '○', dark: '●' }[theme]}</span> {theme}
        </button>
      </div>
      <nav aria-label="views">
        <ul>
          {views.map((v) => (
            <li key={v.id}>
              <a href={addressOf(v.id)} aria-current={v.id === view?.id ? 'page' : undefined}>{v.title}</a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}
