/**
 * The one way a test gets a page in a real browser: a file of tests has one browser, and a page is closed with its test, or
 * by those who look at it one after the other.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { inject, onTestFinished } from 'vitest';
import { endsWithFile } from '../ends-with-file.js';
import { needsTools } from '../needs.js';
import { temporaryFolder } from '../temporary-folder.js';

needsTools('browser');

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of a browser that works here. */
    readonly browser: string;
  }
}

export interface Window {
  readonly width: number;
  readonly colours: 'light' | 'dark';
}

export interface OpenedPage {
  readonly page: Page;
  /** Whatever the browser said about the page, and whatever the page asked for besides itself. */
  readonly complaints: readonly string[];
}

const height = 800;

let browser: Promise<Browser> | undefined;

function openBrowser(): Promise<Browser> {
  endsWithFile(async () => {
    const open = await browser;
    browser = undefined;
    await open?.close();
  });
  return chromium.launch({
    executablePath: inject('browser'),
    // Root may not have one, nor may containers, and no stranger's page is ever opened here.
    chromiumSandbox: false,
    // With it, a picture fails now and then on a busy machine once other pages have been closed.
    ignoreDefaultArgs: ['--enable-features=CDPScreenshotNewSurface'],
  });
}

/** A page that several tests look at, in one window after the other. */
export interface SharedPage extends OpenedPage {
  readonly close: () => Promise<void>;
}

/** Opens a text as users open it: from a file. */
export async function openPage(text: string, window: Window, name = 'page.html'): Promise<OpenedPage> {
  const { close, ...opened } = await openSharedPage(text, window, name);
  onTestFinished(close);
  return opened;
}

/** The same for whoever closes it. */
export async function openSharedPage(
  text: string,
  { width, colours }: Window,
  name = 'page.html',
): Promise<SharedPage> {
  browser ??= openBrowser();
  const context = await (await browser).newContext({
    viewport: { width, height },
    colorScheme: colours,
    offline: true,
  });
  const page = await context.newPage();
  const file = join(temporaryFolder('page'), name);
  const address = pathToFileURL(file).href;
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (request.url() !== address) complaints.push(`asks for ${request.url()}`);
  });
  writeFileSync(file, text);
  await page.goto(address);
  return { page, complaints, close: () => context.close() };
}

/** Makes the window another one, as users do: nothing is loaded again. */
export async function changeWindow(page: Page, { width, colours }: Window): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: colours, media: 'screen' });
  await page.waitForFunction(`innerWidth === ${width}`);
}
