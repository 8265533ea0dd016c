import type { Element } from 'xast';
import type { Refusal, RefusalCode } from '../../contract/rules/errors.ts';
import { element, toDocument } from '../../shared/xml/xml.ts';

/** A value of XML-RPC to write; a `Date` is written in UTC. */
export type RpcValue =
  string | number | boolean | Date | readonly RpcValue[] | { readonly [name: string]: RpcValue };

/** `2026-11-27T08:05:31.000Z` becomes `20261127T08:05:31Z`. */
const timeText = (time: Date): string => time.toISOString().replaceAll('-', '').replace(/\.\d+/, '');

const toValue = (value: RpcValue): Element => element('value', {}, toTyped(value));

function toTyped(value: RpcValue): Element {
  if (typeof value === 'string') return element('string', {}, value);
  if (typeof value === 'number') return element('int', {}, String(value));
  if (typeof value === 'boolean') return element('boolean', {}, value ? '1' : '0');
  if (value instanceof Date) return element('dateTime.iso8601', {}, timeText(value));
  if (isList(value)) return element('array', {}, element('data', {}, ...value.map(toValue)));
  const members = Object.entries(value).map(([name, member]) =>
    element('member', {}, element('name', {}, name), toValue(member)),
  );
  return element('struct', {}, ...members);
}

const isList = (value: RpcValue): value is readonly RpcValue[] => Array.isArray(value);

const answer = (...content: Element[]): string => toDocument(element('methodResponse', {}, ...content));

export const toAnswer = (value: RpcValue): string =>
  answer(element('params', {}, element('param', {}, toValue(value))));

export const toFault = (faultCode: number, faultString: string): string =>
  answer(element('fault', {}, toValue({ faultCode, faultString })));

/** Codes of "Specification for Fault Code Interoperability"; others are HTTP statuses. */
const FAULT_CODES: Partial<Record<RefusalCode, number>> = {
  BODY_MALFORMED: -32_700,
  CALL_UNKNOWN: -32_601,
  FIELD_INVALID: -32_602,
  SCOPE_MISSING: 403,
  NOT_YOURS: 403,
  ARTICLE_NOT_FOUND: 404,
  ARTICLE_CHANGED: 409,
};

export const faultOf = ({ code, status, message }: Refusal): string =>
  toFault(FAULT_CODES[code] ?? (status === 200 ? 400 : status), message);

export const XML_TYPE = 'text/xml; charset=utf-8';
