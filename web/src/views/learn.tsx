// Learn: the examples of the lectures as stories, each number computed now by the engine.
import type { JSX } from 'preact';
import { useAnswer } from '../lib/answer';
import { calls } from '../lib/calls';
import { addressOf, usePlace } from '../lib/route';
import type { Story, StoryName } from '../lib/types';
import { Said } from '../parts/said';
import { Heading, Waiting } from '../parts/note';
import { CommandLine, Twin } from '../parts/twin';

export function Learn(): JSX.Element {
  const id = usePlace().params.get('story');
  return id ? <OneStory key={id} id={id} /> : <Stories />;
}

function Stories(): JSX.Element {
  const asked = calls.stories();
  const stories = useAnswer<StoryName[]>(asked);
  return (
    <>
      <Heading title="Learn by example">Short stories about how evidence changes belief. Every number in them is computed while you read.</Heading>
      <Waiting on={stories} />
      <ul class="stories">
        {stories.data?.map((story) => (
          <li key={story.id}><a href={addressOf('learn', { story: story.id })}><strong>{story.title}</strong>{story.lecture && <span class="soft">{story.lecture}</span>}</a></li>
        ))}
      </ul>
      <Twin asked={[asked]} />
    </>
  );
}

function OneStory({ id }: { id: string }): JSX.Element {
  const asked = calls.story(id);
  const story = useAnswer<Story>(asked);
  return (
    <>
      <Waiting on={story} />
      {story.data && (
        <article class="story">
          <p><a href={addressOf('learn')}>all stories</a></p>
          <Heading title={story.data.title} />
          <ol>
            {story.data.steps.map((step, i) => (
              <li key={i}>
                <p class="prose">{step.text}</p>
                <Told step={step} />
                {step.command && <CommandLine text={step.command} />}
                {step.model && <p class="fine"><Open model={step.model} ask={step.ask} /></p>}
              </li>
            ))}
          </ol>
        </article>
      )}
      <Twin asked={[asked]} />
    </>
  );
}

type Step = Story['steps'][number];

const endpointOf = (ask: Step['ask']): string => ask?.endpoint ?? ask?.path?.split('/').at(-1) ?? '';

/** What the engine said; a plane is asked for again, finer than a story needs it. */
function Told({ step }: { step: Step }): JSX.Element | null {
  const plane = endpointOf(step.ask) === 'plane' && step.model;
  const asked = plane ? calls.plane(plane, { ...(step.ask?.body as { x: string; y: string }), size: 80 }) : null;
  const finer = useAnswer<unknown>(asked);
  const answer = finer.data ?? step.answer;
  return answer === undefined || answer === null ? null : <Said answer={answer} />;
}

/** A link to the view where the question can be changed. */
function Open({ model, ask }: { model: string; ask: Step['ask'] }): JSX.Element {
  const { row, rule, prior, x, y, independent } = (ask?.body ?? {}) as Record<string, unknown>;
  const text = (v: unknown): string | undefined => (v === undefined ? undefined : typeof v === 'string' ? v : JSON.stringify(v));
  if (endpointOf(ask) === 'plane') {
    return <a href={addressOf('plane', { model, x: text(x), y: text(y), independent: independent ? 'yes' : undefined, row: undefined })}>open it in Plane</a>;
  }
  const known = row && Object.keys(row as object).length ? JSON.stringify(row) : undefined;
  return <a href={addressOf('ask', { model, row: known, rule: text(rule), prior: text(prior) })}>open it in Ask</a>;
}
