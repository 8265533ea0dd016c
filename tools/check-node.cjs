// @ts-check
// Loaded before tools/run.mjs, whose syntax older versions of Node cannot read. Must be readable by Node 6.
const lowest = require('../package.json').engines.node.replace(/^\D+/, '');
const current = process.versions.node;

/** @param {string} version such as '18.17.0'; the third number does not count */
function numberOf(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major * 1000 + minor;
}

if (numberOf(current) < numberOf(lowest)) {
  process.stderr.write(
    `[moye] 需要 Node ${lowest} 或更高的版本，当前是 ${current}。 / Node ${lowest} or later is needed, this is ${current}.\n`,
  );
  process.exit(1);
}
