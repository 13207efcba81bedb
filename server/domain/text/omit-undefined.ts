type Defined<Shape> = { [Key in keyof Shape]: Exclude<Shape[Key], undefined> }

/** Removes undefined values, so that they do not overwrite existing ones. */
export const omitUndefined = <Shape extends object>(shape: Shape): Partial<Defined<Shape>> =>
  Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as Partial<
    Defined<Shape>
  >
