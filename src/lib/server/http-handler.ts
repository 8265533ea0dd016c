import type { IncomingMessage, ServerResponse } from 'node:http';

/** An answer that remembers its id for the log: `writeHead`'s own headers cannot be read again. */
export type HttpResponse = ServerResponse & { requestId?: string };

/** Answers a request, or leaves it to the next handler. */
export type HttpHandler = (request: IncomingMessage, response: HttpResponse, next: () => void) => void;
