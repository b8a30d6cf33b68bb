// Plain JavaScript: a Node that is too old for the TypeScript files must still be able to say so.
const [major] = process.versions.node.split('.').map(Number);
if (major < 24) {
  console.error(
    `Paylink needs Node 24 or later, and this is ${process.version}: install it, or run npm ci on Linux x64, which brings it along.`,
  );
  process.exit(1);
}
