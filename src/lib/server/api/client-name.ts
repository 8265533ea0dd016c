import { parse } from 'bowser';

const MAX_USER_AGENT_CHARACTERS = 500;

const NAMES: Record<string, string> = { 'Microsoft Edge': 'Edge', WeChat: '微信' };

/**
 * Returns a readable name for the device and browser of a User-Agent header, such as `Windows 上的 Chrome` or
 * `iPhone 上的 Safari`; the empty string when either is unknown.
 */
export function clientName(userAgent: string | undefined): string {
  if (!userAgent || userAgent.length > MAX_USER_AGENT_CHARACTERS) return '';
  const { browser, os, platform } = parse(userAgent);
  const device = ['iPhone', 'iPad'].find((model) => model === platform.model) ?? os.name;
  if (!browser.name || !device) return '';
  const name = NAMES[browser.name] ?? browser.name;
  return `${device} 上的${/^\w/.test(name) ? ' ' : ''}${name}`;
}
