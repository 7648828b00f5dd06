import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A web server on this machine that serves files from memory. */
export interface FileServer {
  readonly address: string;
  /** The requested paths in order. */
  readonly asked: string[];
  /** Responses to the next requests for a path, in place of the file. */
  readonly instead: Map<string, Answer[]>;
  close(): Promise<void>;
}

export async function serveFiles(files: ReadonlyMap<string, Buffer>): Promise<FileServer> {
  const asked: string[] = [];
  const instead = new Map<string, Answer[]>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').replace(/^\//, '');
    asked.push(path);
    const answer = instead.get(path)?.shift();
    const content = files.get(path);
    if (answer !== undefined) answer(request, response);
    else if (content === undefined) response.writeHead(404).end();
    else response.end(content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/`,
    asked,
    instead,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
