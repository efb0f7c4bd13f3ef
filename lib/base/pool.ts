/** Doing many small things side by side, but not all at once. Reads and writes nothing. */

/** Runs `work` over all items, at most `limit` at a time. Results keep the order of the items; the first failure rejects. */
export async function mapLimited<T, R>(items: readonly T[], limit: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length)
  const queue = items.entries()
  const slot = async (): Promise<void> => {
    for (const [index, item] of queue) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, slot))
  return results
}
