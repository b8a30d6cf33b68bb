/** A refusal as an AWS service words it; the SDK throws it under this name. */
export class AwsError extends Error {
  override readonly name: string;

  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}
