import { RemovalPolicy } from 'aws-cdk-lib';

/**
 * What becomes of a thing when its stack goes. What is kept is still removed with a first deployment that fails:
 * nothing is in it yet, and its name would stop the next attempt.
 */
export const removalOf = ({ keepsData }: { readonly keepsData: boolean }): RemovalPolicy =>
  keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
