import { parse } from 'bowser';

/** Longer ones are made up. */
const LONGEST = 500;

/** What people here say, where bowser says something else. */
const NAMES: Record<string, string> = { 'Microsoft Edge': 'Edge', WeChat: '微信' };

/**
 * What its owner would call the device and browser of a User-Agent header: `Windows 上的 Chrome`,
 * `iPhone 上的 Safari`; the empty string where it tells neither.
 */
export function clientName(userAgent: string | undefined): string {
  if (!userAgent || userAgent.length > LONGEST) return '';
  const { browser, os, platform } = parse(userAgent);
  const device = ['iPhone', 'iPad'].find((model) => model === platform.model) ?? os.name;
  if (!browser.name || !device) return '';
  const name = NAMES[browser.name] ?? browser.name;
  return `${device} 上的${/^\w/.test(name) ? ' ' : ''}${name}`;
}
