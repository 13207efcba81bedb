type Defined<Shape> = { [Key in keyof Shape]: Exclude<Shape[Key], undefined> }

/** Leaves out what was not given, so that it cannot overwrite what is there. */
export const omitUndefined = <Shape extends object>(shape: Shape): Partial<Defined<Shape>> =>
  Object.fromEntries(Object.entries(shape).filter(([, value]) => value !== undefined)) as Partial<
    Defined<Shape>
  >
