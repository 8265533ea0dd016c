import type { IncomingMessage, ServerResponse } from 'node:http';

/** A response with its id for the log: headers passed to `writeHead` cannot be read back. */
export type HttpResponse = ServerResponse & { requestId?: string };

export type HttpHandler = (request: IncomingMessage, response: HttpResponse, next: () => void) => void;
