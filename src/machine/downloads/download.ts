import { createReadStream } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { sha256 } from '../digest.js';
import { environmentFault, type Fault } from '../fault.js';
import { lookUp } from '../lookup.js';
import type { Machine } from '../this-machine.js';
import { routeTo } from './proxy.js';

export interface DownloadRequest {
  readonly url: URL;
  readonly what: string;
  readonly maxBytes: number;
  /** Expected checksum; a mismatch is retried. */
  readonly sha256?: string;
  readonly absent?: Fault;
}

export interface DownloadOptions {
  readonly machine: Machine;
  /** Default: three attempts, 30 s of silence each. */
  readonly patience?: RetryPolicy | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RetryPolicy {
  readonly attempts: number;
  /** Doubled after each failed attempt. */
  readonly pauseMs: number;
  /** Maximum time without a received byte. */
  readonly silenceMs: number;
  readonly totalMs: number;
}

const defaultPatience: RetryPolicy = { attempts: 3, pauseMs: 500, silenceMs: 30_000, totalMs: 600_000 };

/** A failed attempt; a `final` one is not retried. */
class Failure extends Error {
  constructor(
    message: string,
    readonly final = false,
    readonly absent = false,
  ) {
    super(message);
  }
}

export async function download(
  wanted: DownloadRequest,
  { machine, patience = defaultPatience, signal }: DownloadOptions,
): Promise<Buffer | Fault> {
  let pauseMs = patience.pauseMs;
  for (let attempt = 1; ; attempt++) {
    try {
      const content = await fetchOnce(wanted, machine, patience, signal);
      if (wanted.sha256 !== undefined && sha256(content) !== wanted.sha256) {
        throw new Failure('its checksum is not the one the index lists');
      }
      return content;
    } catch (error) {
      signal?.throwIfAborted();
      const failure = asFailure(error);
      if (failure.absent && wanted.absent !== undefined) return wanted.absent;
      if (failure.final || attempt >= patience.attempts) {
        const place = withoutSecrets(wanted.url);
        return environmentFault(`${wanted.what} could not be fetched from ${place}: ${failure.message}`);
      }
    }
    await pause(pauseMs, undefined, { signal });
    pauseMs *= 2;
  }
}

/** An address for display and storage. A mirror's address can hold a password. */
export function withoutSecrets(url: URL): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return shown.href;
}

async function fetchOnce(
  wanted: DownloadRequest,
  machine: Machine,
  patience: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const tooLong = AbortSignal.timeout(patience.totalMs);
  const total = signal === undefined ? tooLong : AbortSignal.any([signal, tooLong]);
  let url = wanted.url;
  for (let redirects = 0; redirects <= 5; redirects++) {
    if (url.protocol === 'file:') return collect(createReadStream(fileURLToPath(url)), wanted, undefined);
    const response = await request(url, machine, patience, total);
    const { statusCode = 0, headers } = response;
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      response.destroy();
      url = redirected(url, headers.location);
      continue;
    }
    if (statusCode !== 200) {
      response.destroy();
      const final = statusCode >= 400 && statusCode < 500;
      throw new Failure(`the server answered ${statusCode}`, final, statusCode === 404);
    }
    return collect(response, wanted, headers['content-length']);
  }
  throw new Failure('it redirects in circles', true);
}

function redirected(from: URL, location: string): URL {
  const to = new URL(location, from);
  const weaker = from.protocol === 'https:' && to.protocol !== 'https:';
  if (weaker || !['http:', 'https:'].includes(to.protocol)) {
    throw new Failure(`it redirects to ${to.protocol}//, which is not followed`, true);
  }
  return to;
}

async function collect(
  stream: Readable,
  wanted: DownloadRequest,
  announced: string | undefined,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > wanted.maxBytes)
      throw new Failure(`it is longer than its limit of ${wanted.maxBytes} bytes`, true);
    chunks.push(chunk);
  }
  if (announced !== undefined && bytes !== Number(announced)) {
    throw new Failure(`it stopped after ${bytes} of ${announced} bytes`);
  }
  return Buffer.concat(chunks);
}

async function request(
  url: URL,
  machine: Machine,
  patience: RetryPolicy,
  signal: AbortSignal,
): Promise<http.IncomingMessage> {
  const limits = { signal, timeout: patience.silenceMs, agent: false, headers: { 'user-agent': 'culprit' } };
  const options = await routeTo(url, machine, limits);
  return new Promise((resolve, reject) => {
    const asked = options.protocol === 'https:' ? https.get(options) : http.get(options);
    let response: http.IncomingMessage | undefined;
    asked.on('response', (arrived) => {
      response = arrived;
      resolve(arrived);
    });
    asked.on('timeout', () =>
      (response ?? asked).destroy(new Failure(`nothing arrived for ${patience.silenceMs / 1000} s`)),
    );
    asked.on('error', reject);
  });
}

const networkFaults: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the server is not known',
  EAI_AGAIN: 'the name of the server could not be looked up',
  ECONNREFUSED: 'the server refused the connection',
  ECONNRESET: 'the connection broke off',
  ETIMEDOUT: 'the server does not answer',
  ENOENT: 'there is no such file',
  ABORT_ERR: 'it took too long',
};

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return new Failure(lookUp(networkFaults, code) ?? message, code === 'ENOENT', code === 'ENOENT');
}
