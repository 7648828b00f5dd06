/**
 * Opens pages in a real browser. Each test file has one browser. A page is closed after its test, or by the tests
 * that share it.
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
    /** Path of a working browser. */
    readonly browser: string;
  }
}

export interface Window {
  readonly width: number;
  readonly colours: 'light' | 'dark';
}

export interface OpenedPage {
  readonly page: Page;
  /** Browser errors, and requests of the page. */
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
    // The sandbox does not work for root or in containers, and tests open no untrusted pages.
    chromiumSandbox: false,
    // With this feature, screenshots sometimes fail on a busy machine after other pages were closed.
    ignoreDefaultArgs: ['--enable-features=CDPScreenshotNewSurface'],
  });
}

/** A page that several tests use. */
export interface SharedPage extends OpenedPage {
  readonly close: () => Promise<void>;
}

/** Opens a text from a file, as users do. */
export async function openPage(text: string, window: Window, name = 'page.html'): Promise<OpenedPage> {
  const { close, ...opened } = await openSharedPage(text, window, name);
  onTestFinished(close);
  return opened;
}

/** Like `openPage`; the caller closes the page. */
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

/** Resizes the window without a reload. */
export async function changeWindow(page: Page, { width, colours }: Window): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: colours, media: 'screen' });
  await page.waitForFunction(`innerWidth === ${width}`);
}
