import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Into the folder that `CULPRIT_PICTURES` names, for somebody to look at; nowhere if there is none. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.CULPRIT_PICTURES;
  if (!folder) return;
  const file = `${name.replaceAll(/[^\w]+/g, '-')}.png`;
  await page.screenshot({ path: join(folder, file), fullPage: true });
}
