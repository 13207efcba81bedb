import fc from 'fast-check'

const { FC_SEED } = process.env

if (FC_SEED !== undefined && !/^-?\d+$/.test(FC_SEED)) {
  throw new Error(`FC_SEED cannot be "${FC_SEED}". It takes a whole number, like 42.`)
}

// Every run has the same examples, so a failure is caused by a change and not by new examples.
fc.configureGlobal({ seed: Number(FC_SEED ?? 4400) })
