import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { at, expect, expectBars, test } from './fixtures';
import { examples, probabilities, run, runJson } from './program';

const sunny = { Outlook: 'Sunny', Wind: 'Strong' };

test('the posterior of a form is that of predict, field by field', async ({ page, servers }) => {
  const model = servers.path('tennis.credence');
  await page.goto(at(servers.small, 'ask', { model: 'tennis' }));
  await expectBars(page, 'posterior probabilities', probabilities(model, ''));
  const form = page.getByRole('region', { name: 'the row' });
  await form.getByLabel('Outlook').selectOption('Sunny');
  await expectBars(page, 'posterior probabilities', probabilities(model, 'Outlook=Sunny'));
  await form.getByLabel('Wind').selectOption('Strong');
  await expectBars(page, 'posterior probabilities', probabilities(model, 'Outlook=Sunny,Wind=Strong'));
  await form.getByLabel('Outlook').selectOption('missing');
  await expectBars(page, 'posterior probabilities', probabilities(model, 'Wind=Strong'));
});

test('the nomogram sums up to the log-odds of explain, also when a dot is moved', async ({ page, servers }) => {
  const model = servers.path('tennis.credence');
  const logOdds = (given: string): string => runJson<{ log_odds: number }[]>('explain', model, '--class', 'No', '--against', 'Yes', '--given', given)[0]?.log_odds.toFixed(9) ?? '';
  await page.goto(at(servers.small, 'ask', { model: 'tennis', row: sunny, for: 'No', against: 'Yes' }));
  const sum = page.locator('.nomogram [data-sum]');
  const shown = async (): Promise<string> => Number(await sum.getAttribute('data-sum')).toFixed(9);
  await expect.poll(shown).toBe(logOdds('Outlook=Sunny,Wind=Strong'));
  const dot = page.locator('.nomogram').getByRole('slider', { name: 'Wind' });
  await dot.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(dot).toHaveAttribute('aria-valuetext', /^Weak/);
  await expect.poll(shown).toBe(logOdds('Outlook=Sunny,Wind=Weak'));
  await page.keyboard.press('End');
  await expect(dot).toHaveAttribute('aria-valuetext', /^Strong/);
  await page.keyboard.press('Home');
  await expect(dot).toHaveAttribute('aria-valuetext', /^Weak/);
  await page.keyboard.press('Delete');
  await expect.poll(shown).toBe(logOdds('Outlook=Sunny'));
});

test('a dot of the nomogram can be dragged with a pointer', async ({ page, servers }) => {
  await page.goto(at(servers.small, 'ask', { model: 'tennis', row: sunny }));
  const line = page.locator('.nomogram .line').filter({ hasText: 'Outlook' });
  const from = await line.locator('.dot').boundingBox();
  const to = await line.getByText('Rain', { exact: true }).boundingBox();
  if (!from || !to) throw new Error('the nomogram is not there');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(to.x + to.width / 2, from.y + from.height / 2, { steps: 5 });
  await page.mouse.up();
  await expectBars(page, 'posterior probabilities', probabilities(servers.path('tennis.credence'), 'Outlook=Rain,Wind=Strong'));
});

test('the board has the fractions of explain --steps', async ({ page, servers }) => {
  await page.goto(at(servers.small, 'ask', { model: 'tennis', row: sunny }));
  const board = page.getByRole('region', { name: 'the computation' });
  await expect(board).toContainText('(3 + 1/3)/(5 + 1)');
  const expected = probabilities(servers.path('tennis.credence'), 'Outlook=Sunny,Wind=Strong');
  await expect.poll(() => board.locator('[data-posterior]').evaluateAll((all) => all.map((e) => Number(e.getAttribute('data-posterior')).toFixed(9)))).toEqual(Object.values(expected).map((p) => p.toFixed(9)));
});

test('what would change the answer does change it', async ({ page, servers }) => {
  await page.goto(at(servers.three, 'ask', { model: 'three', row: { width: 5, depth: 1.7 } }));
  const decision = page.locator('.decision strong');
  await expect(decision).not.toBeEmpty();
  const before = await decision.textContent();
  const flip = page.locator('.flips li').first();
  await expect(flip).toContainText('→');
  await flip.getByRole('button', { name: 'do it' }).click();
  await expect(decision).not.toHaveText(before ?? '');
});

test('costs decide as predict --costs does', async ({ page, servers }) => {
  const costs = servers.path('costs.csv');
  writeFileSync(costs, 'truth,cancer,healthy\ncancer,0,500\nhealthy,1,0\n');
  const label = run('predict', join(examples, 'lab_test.json'), '--costs', costs, '--given', 'test=+', '-q').split('\n')[1]?.split(',')[0];
  await page.goto(at(servers.three, 'ask', { model: 'lab_test', row: { test: '+' } }));
  await expect(page.locator('.decision strong')).toHaveText('healthy');
  await page.getByText('Costs and reject').click();
  await page.getByLabel('cost of healthy where it is cancer').fill('500');
  await expect(page.locator('.decision strong')).toHaveText(label ?? 'cancer');
});

test('a row that is not sure enough gets no label', async ({ page, servers }) => {
  await page.goto(at(servers.small, 'ask', { model: 'tennis', row: sunny }));
  await page.getByText('Costs and reject').click();
  await page.getByRole('slider', { name: 'No label below' }).fill('0.9');
  await expect(page.locator('.decision')).toContainText('No label');
});

test('numbers can be typed, dragged and taken back', async ({ page, servers }) => {
  const model = servers.path('three.credence');
  await page.goto(at(servers.three, 'ask', { model: 'three' }));
  await page.getByRole('spinbutton', { name: 'width' }).fill('4.9');
  await expectBars(page, 'posterior probabilities', probabilities(model, 'width=4.9'));
  await page.getByRole('slider', { name: 'depth, slider' }).fill('1.5');
  const depth = await page.getByRole('spinbutton', { name: 'depth' }).inputValue();
  await expectBars(page, 'posterior probabilities', probabilities(model, `width=4.9,depth=${depth}`));
  await page.getByRole('button', { name: 'width: missing' }).click();
  await expectBars(page, 'posterior probabilities', probabilities(model, `depth=${depth}`));
});

test('a document is marked, with the probabilities of predict', async ({ page, servers }) => {
  const text = 'please review us now and send your password';
  await page.goto(at(servers.small, 'text', { model: 'mails' }));
  await page.getByLabel('Document').fill(text);
  await expectBars(page, 'posterior probabilities', probabilities(servers.path('mails.credence'), `text=${text}`));
  await expect(page.locator('.marked')).toHaveText(text);
  await expect(page.locator('.marked mark').filter({ hasText: 'review' })).toBeVisible();
});

test('every view names the question it asked, as a line for a shell', async ({ page, servers }) => {
  await page.goto(at(servers.small, 'ask', { model: 'tennis', row: sunny }));
  await page.getByText('This view as JSON').click();
  await expect(page.locator('.twin code').first()).toContainText("/v1/models/tennis/predict' -H 'Content-Type: application/json' -d");
  await page.getByRole('button', { name: 'show the answer' }).first().click();
  await expect(page.locator('.twin pre')).toContainText('"probabilities"');
});
