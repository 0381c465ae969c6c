import { z } from 'zod';

/** A list whose items are read only if there are not too many of them: each could have an error of its own. */
export function shortList<Item extends z.ZodType>(item: Item, max: number) {
  const { items } = z.toJSONSchema(z.array(item), { io: 'input' });
  return z.array(z.unknown()).max(max).meta({ items }).pipe(z.array(item));
}
