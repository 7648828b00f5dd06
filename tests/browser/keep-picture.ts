import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Saves a picture to the folder in `CULPRIT_PICTURES`, if it is set. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = process.env.CULPRIT_PICTURES;
  if (!folder) return;
  const file = `${name.replaceAll(/[^\w]+/g, '-')}.png`;
  await page.screenshot({ path: join(folder, file), fullPage: true });
}
