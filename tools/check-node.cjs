// @ts-check
// Loaded before tools/run.mjs, whose syntax older versions of Node cannot read. Must be readable by Node 6.
const [lowestMajor, lowestMinor] = require('../package.json').engines.node.match(/\d+/g).map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < lowestMajor || (major === lowestMajor && minor < lowestMinor)) {
  const lowest = `${lowestMajor}.${lowestMinor}`;
  process.stderr.write(
    `[moye] 需要 Node ${lowest} 或更高的版本，当前是 ${process.versions.node}。 / ` +
      `Node ${lowest} or later is needed, this is ${process.versions.node}.\n`,
  );
  process.exit(1);
}
