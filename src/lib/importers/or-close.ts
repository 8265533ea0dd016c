/** Returns the result of `work`; closes the resource if it fails. */
export async function orClose<T>(resource: { close(): unknown }, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await resource.close();
    throw error;
  }
}
