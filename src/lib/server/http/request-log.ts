import type { IncomingMessage } from 'node:http';
import { isApiRequest } from '../../contract/rules/paths.ts';
import { redactUrl, type Log } from '../shared/log.ts';
import { withAccount, type RequestAccount } from '../shared/request-account.ts';
import { clientAddress } from './address.ts';
import type { HttpHandler } from './http-handler.ts';

export interface ServedRequest {
  kind: 'page' | 'call' | 'file' | 'probe';
  /** HTTP status, or `aborted` if the client did not receive the whole response. */
  status: string;
  seconds: number;
}

export type RequestLog = ReturnType<typeof createRequestLog>;

/**
 * Logs each response, and reports it to observers.
 * @param logsClients whether a line has the client's address, and the account of a valid token
 */
export function createRequestLog({
  log,
  logsClients,
  trustedHops,
}: {
  log: Log;
  logsClients: boolean;
  trustedHops: number;
}) {
  const observers: ((served: ServedRequest) => void)[] = [];
  const handler: HttpHandler = (request, response, next) => {
    const isLogged = log.isLevelEnabled('info');
    if (!isLogged && observers.length === 0) return next();
    const started = performance.now();
    // Not known any more when the socket is closed.
    const address = isLogged && logsClients ? clientAddress(request, trustedHops) : undefined;
    const account: RequestAccount = {};
    response.on('close', () => {
      const ms = performance.now() - started;
      const { writableFinished: isWhole, statusCode } = response;
      if (isLogged)
        log.info({
          requestId: response.requestId ?? response.getHeader('x-request-id'),
          method: request.method,
          url: redactUrl(request.url ?? ''),
          status: statusCode,
          ms: Math.round(ms * 10) / 10,
          aborted: isWhole ? undefined : true,
          address,
          account: account.name,
        });
      if (observers.length === 0) return;
      const served = {
        kind: kindOf(request),
        status: isWhole ? String(statusCode) : 'aborted',
        seconds: ms / 1000,
      };
      for (const observe of observers) observe(served);
    });
    if (address === undefined) next();
    else withAccount(account, next);
  };
  return {
    handler,
    observe: (observer: (served: ServedRequest) => void): void => void observers.push(observer),
  };
}

function kindOf({ method, url = '' }: Pick<IncomingMessage, 'method' | 'url'>): ServedRequest['kind'] {
  const [path = ''] = url.split('?', 1);
  if (path === '/healthz' || path === '/metrics') return 'probe';
  if (isApiRequest(method, path)) return path.startsWith('/api/file/') ? 'file' : 'call';
  return /\.[a-z\d]+$/i.test(path) ? 'file' : 'page';
}
