import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { download, withoutSecrets } from '../../../src/machine/downloads/download.js';
import { proxyFor } from '../../../src/machine/downloads/proxy.js';
import { Fault, usageFault } from '../../../src/machine/fault.js';
import { sha256 } from '../../solver/sources/debian-archive.js';
import { type FakeMachine, fakeMachine } from '../../solver/sources/fake-machine.js';
import { type FileServer, serveFiles } from '../../solver/sources/file-server.js';

const content = Buffer.from('the whole file');
let server: FileServer;
let fake: FakeMachine;

beforeEach(async () => {
  server = await serveFiles(new Map([['file', content]]));
  fake = await fakeMachine();
});
afterEach(async () => {
  await server.close();
  await fake.remove();
});

function fetchFile(path = 'file', more: { sha256?: string; maxBytes?: number; absent?: Fault } = {}) {
  const url = new URL(path, server.address);
  return download({ url, what: 'the file', maxBytes: 1000, ...more }, fake.around);
}

/** Uses a short timeout for silent servers. */
function fetchImpatiently() {
  const url = new URL('file', server.address);
  const patience = { attempts: 3, pauseMs: 1, silenceMs: 300, totalMs: 60_000 };
  return download({ url, what: 'the file', maxBytes: 1000 }, { ...fake.around, patience });
}

function message(result: unknown): string {
  expect(result).toBeInstanceOf(Fault);
  return (result as Fault).message;
}

describe('download', () => {
  it('downloads a file and verifies its checksum', async () => {
    expect(await fetchFile('file', { sha256: sha256(content) })).toEqual(content);
    expect(server.asked).toEqual(['file']);
  });

  it('retries when the server fails, disconnects or falls silent', async () => {
    server.instead.set('file', [
      (_, response) => response.writeHead(503).end(),
      (_, response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('the wh');
        response.destroy();
      },
    ]);
    expect(await fetchFile()).toEqual(content);
    server.instead.set('file', [(_, response) => void response.write('the wh'), () => {}]);
    expect(await fetchImpatiently()).toEqual(content);
    expect(server.asked).toHaveLength(6);
  });

  it('rejects a truncated file', async () => {
    const breakOff = (_: unknown, response: import('node:http').ServerResponse) => {
      response.writeHead(200, { 'content-length': 14 });
      response.write('the wh', () => response.destroy());
    };
    server.instead.set('file', [breakOff, breakOff, breakOff]);
    expect(message(await fetchFile())).toMatch(
      /^the file could not be fetched from http:.*: the connection broke off$/,
    );
  });

  it('reports the reason after the last attempt', async () => {
    const silent = () => {};
    server.instead.set('file', [silent, silent, silent]);
    expect(message(await fetchImpatiently())).toMatch(/nothing arrived for 0\.3 s$/);
    expect(message(await fetchFile('file', { sha256: '00' }))).toMatch(
      /its checksum is not the one the index lists$/,
    );
    expect(server.asked).toHaveLength(6);
  });

  it('does not retry a missing file', async () => {
    expect(message(await fetchFile('nothing'))).toMatch(/the server answered 404$/);
    expect(message(await fetchFile('nothing', { absent: usageFault('no such suite') }))).toBe(
      'no such suite',
    );
    expect(server.asked).toHaveLength(2);
  });

  it('stops reading a file that exceeds the maximum length', async () => {
    expect(message(await fetchFile('file', { maxBytes: 5 }))).toMatch(/longer than its limit of 5 bytes/);
  });

  it('follows redirects, but not in circles and not to local files', async () => {
    const to = (location: string) => (_: unknown, response: import('node:http').ServerResponse) =>
      void response.writeHead(302, { location }).end();
    server.instead.set('moved', [to('/file')]);
    expect(await fetchFile('moved')).toEqual(content);
    server.instead.set(
      'circle',
      Array.from({ length: 20 }, () => to('/circle')),
    );
    expect(message(await fetchFile('circle'))).toMatch(/redirects in circles/);
    server.instead.set('local', [to('file:///etc/passwd')]);
    expect(message(await fetchFile('local'))).toMatch(/redirects to file:\/\/, which is not followed/);
  });

  it('reads a mirror from a file: address', async () => {
    const file = join(fake.folder, 'a file');
    await writeFile(file, content);
    const fetched = (url: URL) => download({ url, what: 'the file', maxBytes: 1000 }, fake.around);
    expect(await fetched(pathToFileURL(file))).toEqual(content);
    expect(message(await fetched(pathToFileURL(`${file}2`)))).toMatch(/there is no such file$/);
  });

  it('withoutSecrets removes user name and password from an address', async () => {
    expect(withoutSecrets(new URL('http://me:secret@127.0.0.1/debian/'))).toBe('http://127.0.0.1/debian/');
  });
});

describe('download through a proxy', () => {
  const named = (env: Record<string, string>, address: string) =>
    proxyFor(new URL(address), { ...fake.machine, env })?.href;

  it('takes the proxy from the environment', () => {
    const env = { http_proxy: 'http://proxy.test:3128', no_proxy: 'inside.test,.local.test' };
    expect(named(env, 'http://mirror.test/')).toBe('http://proxy.test:3128/');
    expect(named(env, 'https://mirror.test/')).toBeUndefined();
    expect(named(env, 'http://inside.test/')).toBeUndefined();
    expect(named(env, 'http://a.local.test/')).toBeUndefined();
    expect(named({ HTTPS_PROXY: 'proxy.test:3128' }, 'https://mirror.test/')).toBe('http://proxy.test:3128/');
  });

  it('sends the full address and the credentials to the proxy', async () => {
    const asked: string[] = [];
    const proxy: Server = createServer((request, response) => {
      asked.push(`${request.headers['proxy-authorization']} ${request.headers.host} ${request.url}`);
      response.end(content);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const machine = { ...fake.machine, env: { http_proxy: `http://me:secret@127.0.0.1:${port}` } };
    const url = new URL('http://mirror.test/debian/file');
    expect(await download({ url, what: 'the file', maxBytes: 1000 }, { machine })).toEqual(content);
    expect(asked).toEqual(['Basic bWU6c2VjcmV0 mirror.test http://mirror.test/debian/file']);
    proxy.close();
  });

  it('opens a tunnel for https servers and reports a refusal', async () => {
    const asked: string[] = [];
    const proxy = createServer();
    proxy.on('connect', (request, socket) => {
      asked.push(request.url ?? '');
      socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const machine = { ...fake.machine, env: { https_proxy: `127.0.0.1:${port}` } };
    const url = new URL('https://mirror.test/debian/file');
    const fetched = await download({ url, what: 'the file', maxBytes: 1000 }, { ...fake.around, machine });
    expect(message(fetched)).toMatch(/the proxy answered 403$/);
    expect(new Set(asked)).toEqual(new Set(['mirror.test:443']));
    proxy.close();
  });
});
