import { CallError } from './call-error.ts';

/** Response of the server: the HTTP status, and the envelope of CONTRACT.md "Basics" if there was one. */
export interface Answer {
  status: number;
  code: unknown;
  data: unknown;
  /** Refusal code, from servers that send one. */
  error: unknown;
  /** Field that a refusal concerns, from servers that name it. */
  field?: unknown;
  /** Token that continues a refused call, if that is possible. */
  ticket?: unknown;
  /** `Retry-After` header in seconds. */
  retryAfter?: number;
}

/** The access token has expired, CONTRACT.md "Basics". */
export const EXPIRED = 401;
/** Sign-in is required and there was no valid token. */
export const SIGNED_OUT = 402;
const FAULT = '服务器出了点问题，请稍后再试';

/**
 * Returns the data of a response. @throws CallError `refused` with the server's message, `fault` if the
 * response does not conform to the contract
 */
export function dataOf({ status, code, data, error, field, ticket, retryAfter }: Answer): unknown {
  if (code === 'OK') return data;
  if (code === 'ERROR' && typeof data === 'string')
    throw new CallError('refused', data, status, {
      ...(typeof error === 'string' ? { code: error } : {}),
      ...(typeof field === 'string' ? { field } : {}),
      ...(retryAfter ? { retryAfter } : {}),
      ...(typeof ticket === 'string' ? { ticket } : {}),
    });
  if (code === undefined && status === 413)
    throw new CallError('refused', '提交的内容太大，网站前面的代理没有放行', status, {
      code: 'BODY_TOO_LARGE',
    });
  throw new CallError('fault', code === undefined ? textOf(status) : FAULT, status);
}

/** Explains a response that is not the server's, such as the HTML of a proxy. */
function textOf(status: number): string {
  if (status === 401 || status === 403) return `请求被网站前面的代理拦下了（${status}），请告诉站长`;
  if (status === 429) return '请求太频繁，请稍后再试';
  if (status >= 500) return `网站暂时没有响应（${status}），请稍后再试`;
  return `收到的不是本站的回答（${status}），可能要先登录所在的网络，或代理设置有误`;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the fields of an envelope; they are undefined for any other body. */
export function partsOf(body: unknown): Omit<Answer, 'status' | 'retryAfter'> {
  const parts = typeof body === 'object' && body !== null ? body : {};
  const { code, data, error, field, ticket } = parts as Partial<Answer>;
  return { code, data, error, field, ticket };
}

/** A 401 without an envelope is a proxy's: the session has not ended. */
export const asksForSignIn = ({ status, code }: Answer) =>
  code !== undefined && code !== 'OK' && (status === EXPIRED || status === SIGNED_OUT);
