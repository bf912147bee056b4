import { copyFileSync } from 'node:fs';
import { at, expect, expectBars, test } from './fixtures';
import { probabilities, run } from './program';

const given = 'Outlook=Sunny,Temperature=Hot,Humidity=High,Wind=Weak';
const first = { Outlook: 'Sunny', Temperature: 'Hot', Humidity: 'High', Wind: 'Weak' };

test('a row that is forgotten moves the posterior as forget does, and undo brings it back', async ({ page, servers }) => {
  const before = servers.path('before.credence');
  const after = servers.path('after.credence');
  copyFileSync(before, after);
  run('forget', after, '--given', `${given},PlayTennis=No`, '-q');
  await page.goto(at(servers.small, 'teach', { model: 'tennis', row: first }));
  await expectBars(page, 'posterior probabilities', probabilities(before, given));
  await page.getByRole('button', { name: 'forget row 1', exact: true }).click();
  await expectBars(page, 'posterior probabilities', probabilities(after, given));
  await expect(page.getByRole('status').filter({ hasText: 'Row 1 is forgotten' })).toContainText('13 rows');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectBars(page, 'posterior probabilities', probabilities(before, given));
  await expect(page.getByRole('status').filter({ hasText: 'Taken back' })).toContainText('14 rows');
});

test('a row that is learnt moves the posterior as update does', async ({ page, servers }) => {
  const before = servers.path('before.credence');
  const after = servers.path('after.credence');
  copyFileSync(before, after);
  run('update', after, '--given', `${given},PlayTennis=Yes`, '-q');
  await page.goto(at(servers.small, 'teach', { model: 'tennis', row: first }));
  await page.getByLabel('PlayTennis').selectOption('Yes');
  await page.getByRole('button', { name: 'Learn it' }).click();
  await expectBars(page, 'posterior probabilities', probabilities(after, given));
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectBars(page, 'posterior probabilities', probabilities(before, given));
});

test('a row that was forgotten is remembered as such by the journal', async ({ page, servers }) => {
  await page.goto(at(servers.small, 'teach', { model: 'tennis' }));
  await page.getByRole('button', { name: 'forget row 2', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'forgotten' })).toContainText('13 rows');
  await page.reload();
  await expect(page.getByRole('button', { name: 'forget row 3', exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: 'forget row 2', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'put back row 2', exact: true }).click();
  await expect(page.getByRole('button', { name: 'forget row 2', exact: true })).toBeVisible();
});

test('the influence of a row is the posterior without it', async ({ page, servers }) => {
  const after = servers.path('after.credence');
  copyFileSync(servers.path('before.credence'), after);
  run('forget', after, '--given', `${given},PlayTennis=No`, '-q');
  await page.goto(at(servers.small, 'teach', { model: 'tennis' }));
  await page.getByRole('button', { name: 'influence of row 1', exact: true }).click();
  const panel = page.getByRole('complementary', { name: 'influence of row 1' });
  await expectBars(panel, 'posterior without the row', probabilities(after, given));
  await expect(panel.locator('tbody tr')).not.toHaveCount(0);
});

test('what can be done with a row is in sight on a phone', async ({ page, servers }) => {
  await page.setViewportSize({ width: 390, height: 850 });
  await page.goto(at(servers.three, 'teach', { model: 'three' }));
  const button = page.getByRole('button', { name: 'influence of row 1', exact: true });
  await expect(button).toBeVisible();
  const box = await button.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 1000)).toBeLessThanOrEqual(390);
});

test('a server that does not learn says how to start one that does', async ({ page, servers }) => {
  await page.goto(at(servers.three, 'teach', { model: 'three' }));
  await expect(page.getByText('credence serve three.credence --learn')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Learn it' })).toHaveCount(0);
});

test('a change whose answer got lost is made once', async ({ page, servers }) => {
  const keys: string[] = [];
  page.on('request', (request) => request.url().endsWith('/update') && keys.push(request.headers()['idempotency-key'] ?? ''));
  await page.goto(at(servers.small, 'teach', { model: 'tennis', row: first }));
  await page.evaluate(() => {
    // The first answer never arrives.
    const fetched = window.fetch;
    let lost = false;
    window.fetch = async (...args) => {
      const answer = await fetched(...args);
      if (String(args[0]).endsWith('/update') && !lost) {
        lost = true;
        throw new TypeError('the connection broke');
      }
      return answer;
    };
  });
  await page.getByRole('button', { name: 'Learn it' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Learnt' })).toContainText('15 rows');
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Taken back' })).toContainText('14 rows');
});
