// Plain JavaScript, so that a Node version that cannot load TypeScript can still print this message.
const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(
    `Paylink needs Node 24 or later, and this is ${process.version}: install it, or run npm ci on Linux x64, which brings it along.`,
  );
  process.exit(1);
}
