import { RemovalPolicy } from 'aws-cdk-lib';

/**
 * Returns what happens to a resource when its stack is deleted. A retained resource is still deleted when its first
 * deployment fails: it has no data yet, and its name would block the next attempt.
 */
export const removalOf = ({ keepsData }: { readonly keepsData: boolean }): RemovalPolicy =>
  keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
