/** An error of an AWS service. `name` is the error's code, which is also the name of the error that the SDK throws. */
export class AwsError extends Error {
  override readonly name: string;

  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}
