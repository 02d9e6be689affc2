export async function benchChanges(): Promise<object> { return {}; }
