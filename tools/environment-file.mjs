// @ts-check
// Not util.parseEnv or `node --env-file`: they end an unquoted value at `#`, keep backslashes and read quotes
// differently, so commands would run with other settings than the service.

const SINGLE_QUOTED = "'([^']*)(?:'|$)";
const DOUBLE_QUOTED = '"((?:\\\\[^]|[^"\\\\])*)(?:"|\\\\?$)';
const QUOTED = new RegExp(`[ \\t]*(?:${SINGLE_QUOTED}|${DOUBLE_QUOTED})`, 'y');
const KEY = /[ \t\r\n]*(?:[#;][^\r\n]*|([^=\r\n]+)(=)?)/y;
const REST = /[ \t]*((?:\\[^]|\\$|[^\\\r\n])*?)[ \t]*(?=[\r\n]|$)/y;
const NAME = /^[A-Za-z_]\w*$/;

/**
 * Parses a file as systemd does for `EnvironmentFile=`: comments are whole lines, quotes count only at the
 * start of a value, nothing is expanded, and lines without a valid name are skipped.
 * @param {string} text
 * @returns {Record<string, string>}
 */
export function parseEnvironmentFile(text) {
  /** @type {Record<string, string>} */
  const settings = {};
  let position = 0;
  /** @param {RegExp} pattern */
  const take = (pattern) => {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match) position = pattern.lastIndex;
    return match;
  };
  for (let key = take(KEY); key; key = take(KEY)) {
    if (!key[2]) continue;
    let value = '';
    for (let quoted = take(QUOTED); quoted; quoted = take(QUOTED))
      value += quoted[1] ?? unescapeQuoted(quoted[2] ?? '');
    value += (take(REST)?.[1] ?? '').replaceAll(/\\(?:[\r\n]|$|([^]))/g, '$1');
    const name = (key[1] ?? '').trimEnd();
    if (NAME.test(name)) settings[name] = value;
  }
  return settings;
}

/** @param {string} text contents of double quotes */
const unescapeQuoted = (text) => text.replaceAll(/\\(?:\n|(["\\`$]))/g, '$1');
