import http from 'node:http';
import type { RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import type { Machine } from '../this-machine.js';

/** The proxy from the environment, by the rules of curl, pip and npm. */
export function proxyFor(url: URL, { env }: Machine): URL | undefined {
  const scheme = url.protocol.slice(0, -1);
  const named =
    env[`${scheme}_proxy`] || env[`${scheme.toUpperCase()}_PROXY`] || env.all_proxy || env.ALL_PROXY;
  if (!named) return undefined;
  const exceptions = (env.no_proxy || env.NO_PROXY || '')
    .split(',')
    .map((entry) => entry.trim().replace(/^\*?\./, ''));
  const excepted = exceptions.some(
    (domain) =>
      domain === '*' || (domain !== '' && (url.hostname === domain || url.hostname.endsWith(`.${domain}`))),
  );
  const address = named.includes('://') ? named : `http://${named}`;
  return excepted || !URL.canParse(address) ? undefined : new URL(address);
}

/** Request options for an address: direct, or through the proxy from the environment. */
export async function routeTo(url: URL, machine: Machine, limits: RequestOptions): Promise<RequestOptions> {
  const headers = { ...limits.headers, ...credentials('authorization', url) };
  const straight = { ...limits, ...addressOf(url), path: url.pathname + url.search, headers };
  const proxy = proxyFor(url, machine);
  if (proxy === undefined) return straight;
  if (url.protocol === 'https:') {
    const socket = await tunnel(url, proxy, limits);
    return { ...straight, createConnection: () => tls.connect({ socket, servername: url.hostname }) };
  }
  const { protocol, host, pathname, search } = url;
  return {
    ...limits,
    ...addressOf(proxy),
    path: `${protocol}//${host}${pathname}${search}`,
    headers: { ...headers, host, ...credentials('proxy-authorization', proxy) },
  };
}

function addressOf({ protocol, hostname, port }: URL): RequestOptions {
  // The brackets of an IPv6 address are not part of the host.
  return { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), ...(port === '' ? {} : { port }) };
}

function credentials(header: string, { username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { [header]: `Basic ${Buffer.from(plain).toString('base64')}` };
}

/** Opens a CONNECT tunnel through the proxy to an https server. */
function tunnel(url: URL, proxy: URL, limits: RequestOptions): Promise<Socket> {
  const path = `${url.hostname}:${url.port || 443}`;
  return new Promise((resolve, reject) => {
    const headers = { host: path, ...credentials('proxy-authorization', proxy) };
    const asked = http.request({ ...limits, ...addressOf(proxy), method: 'CONNECT', path, headers });
    asked.on('connect', ({ statusCode }, socket) =>
      statusCode === 200 ? resolve(socket) : reject(refusal(`the proxy answered ${statusCode}`)),
    );
    asked.on('timeout', () => asked.destroy(refusal('the proxy does not answer')));
    asked.on('error', reject);
    asked.end();
  });
}

function refusal(message: string): Error {
  return Object.assign(new Error(message), { code: 'EPROXY' });
}
