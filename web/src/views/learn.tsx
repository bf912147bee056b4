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
                {step.answer !== undefined && step.answer !== null && <Said answer={step.answer} />}
                {step.command && <CommandLine text={step.command} />}
                {step.model && <p class="fine"><a href={addressOf('ask', { model: step.model, ...asAddress(step.ask?.body) })}>open it in Ask</a></p>}
              </li>
            ))}
          </ol>
        </article>
      )}
      <Twin asked={[asked]} />
    </>
  );
}

/** The row, rule and prior of a question, as addresses have them. */
function asAddress(body: unknown): Record<string, string | undefined> {
  const { row, rule, prior } = (body ?? {}) as { row?: object; rule?: string; prior?: unknown };
  return {
    row: row && Object.keys(row).length ? JSON.stringify(row) : undefined,
    rule,
    prior: typeof prior === 'string' ? prior : prior ? JSON.stringify(prior) : undefined,
  };
}
