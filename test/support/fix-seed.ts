import fc from 'fast-check'

const { FC_SEED } = process.env

if (FC_SEED !== undefined && !/^-?\d+$/.test(FC_SEED)) {
  throw new Error(`FC_SEED cannot be "${FC_SEED}". It takes a whole number, like 42.`)
}

// The same examples in every run: what a new one finds belongs to no change, and would fail whichever comes next.
fc.configureGlobal({ seed: Number(FC_SEED ?? 4400) })
