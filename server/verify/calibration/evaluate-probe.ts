import type { BehaviorChoices } from '../../domain/behaviors/behavior.ts'
import {
  canHave,
  compareAnswers,
  isSameTrait,
  limitDifferences,
  placesOf,
  type AnswerDifference,
} from '../../domain/api/compare-answers.ts'
import { describeAnswer, type Answer, type Traits } from '../../domain/api/describe-answer.ts'
import { responseCode } from '../../domain/api/read-answer.ts'
import type { ProbeExchange } from './run-probe.ts'

/** The maximum number of differences between two responses that are listed. Further ones are only counted. */
export const MAX_DIFFERENCES = 100

/** The sandbox's responses to a probe with certain behaviors. */
export interface Candidate {
  readonly behaviors: BehaviorChoices
  readonly exchanges: readonly ProbeExchange[]
}

/** The candidates that have the same response as the service at one place. */
interface MatchingCandidates {
  readonly request: string
  readonly place: string
  /** Empty if no candidate gives this response. */
  readonly agreeing: ReadonlySet<Candidate>
}

export interface ProbeDifference extends AnswerDifference {
  /** The exchange with the service. */
  readonly exchange: ProbeExchange
  /** The same request to the sandbox. */
  readonly expectedExchange: ProbeExchange
}

export interface ProbeVerdict {
  /** The candidates that no response contradicts. Empty if the responses contradict each other. */
  readonly possible: readonly Candidate[]
  /** The candidate whose responses are most like those of the service. */
  readonly nearest: Candidate
  /** Whether the service gave a response that no candidate gives, at a place where the candidates differ. */
  readonly fitsNone: boolean
  /** The requests whose responses have excluded a candidate. */
  readonly deciding: readonly { readonly request: string; readonly excluded: readonly Candidate[] }[]
  /** Where the service differs from the nearest candidate. */
  readonly differences: readonly ProbeDifference[]
}

/**
 * Finds the candidates that agree with the answers of the service. Only places where the candidates differ from each other count.
 * If the answer to any request matches no candidate at a place, the place is ignored for all requests. So a change that no candidate
 * explains, like a renamed field or another status, excludes none of them.
 */
export function evaluateProbe(
  exchanges: readonly ProbeExchange[],
  candidates: readonly [Candidate, ...Candidate[]],
): ProbeVerdict {
  const fitting = exchanges.map((exchange, index) =>
    exchange.answer && !hasOutcomeOf(candidates, index, exchange.answer)
      ? { ...exchange, answer: null }
      : exchange,
  )
  const all = fitting.flatMap((exchange, index) =>
    exchange.answer
      ? votesOf(
          exchange.step.name,
          describeAnswer(exchange.answer),
          candidates.map((candidate) => ({ candidate, traits: traitsOf(candidate.exchanges[index]) })),
        )
      : [],
  )
  const unknownAt = new Set(all.filter(({ agreeing }) => agreeing.size === 0).map(({ place }) => place))
  const votes = [...all.filter(({ place }) => !unknownAt.has(place)), ...pairVotes(fitting, candidates)]
  const possible = candidates.filter((candidate) => votes.every(({ agreeing }) => agreeing.has(candidate)))
  const nearest = nearestOf(possible.length > 0 ? possible : candidates, votes, exchanges)
  return {
    possible,
    nearest,
    fitsNone: unknownAt.size > 0 || fitting.some((exchange, index) => exchange !== exchanges[index]),
    deciding: votes.map(({ request, agreeing }) => ({
      request,
      excluded: candidates.filter((candidate) => !agreeing.has(candidate)),
    })),
    differences: differencesFrom(nearest, exchanges),
  }
}

/**
 * Whether the service and the candidates agree about accepting a request. If the service accepts what every candidate refuses, or
 * the reverse, its response is about something else.
 */
const hasOutcomeOf = (candidates: readonly Candidate[], index: number, answer: Answer): boolean =>
  candidates.some(
    ({ exchanges }) => responseCode(exchanges[index]?.answer ?? undefined) === responseCode(answer),
  )

interface ExpectedTraits {
  readonly candidate: Candidate
  readonly traits: Traits
}

const NO_TRAITS: Traits = new Map()

const traitsOf = (exchange: ProbeExchange | undefined): Traits =>
  exchange?.answer ? describeAnswer(exchange.answer) : NO_TRAITS

function votesOf(request: string, found: Traits, expected: readonly ExpectedTraits[]): MatchingCandidates[] {
  const answered = expected.filter(({ traits }) => traits.size > 0)
  return placesOf(...answered.map(({ traits }) => traits)).flatMap(
    ({ place, parent }): MatchingCandidates[] => {
      if (!canHave(found, place, parent)) return []
      const able = answered.filter(({ traits }) => canHave(traits, place, parent))
      const [first, ...rest] = able.map(({ traits }) => traits.get(place))
      if (rest.every((trait) => isSameTrait(first, trait))) return []

      const differing = able.filter(({ traits }) => !isSameTrait(traits.get(place), found.get(place)))
      const excluded = new Set(differing.map(({ candidate }) => candidate))
      const agreeing = expected.map(({ candidate }) => candidate).filter((one) => !excluded.has(one))
      return [{ request, place, agreeing: new Set(differing.length === able.length ? [] : agreeing) }]
    },
  )
}

const PAIR = 'whether two messages are equal'

/** The service may use other words than the sandbox, so this only compares whether two requests get the same message. */
function pairVotes(
  exchanges: readonly ProbeExchange[],
  candidates: readonly Candidate[],
): MatchingCandidates[] {
  const pairs = exchanges[0]?.probe.pairs ?? []
  return pairs.flatMap((pair): MatchingCandidates[] => {
    const found = hasSameMessage(exchanges, pair)
    const agreeing = new Set(
      candidates.filter(({ exchanges: own }) => {
        const expected = hasSameMessage(own, pair)
        return found === undefined || expected === undefined || expected === found
      }),
    )
    return agreeing.size === 0 || agreeing.size === candidates.length
      ? []
      : [{ request: pair[0], place: PAIR, agreeing }]
  })
}

function hasSameMessage(
  exchanges: readonly ProbeExchange[],
  names: readonly [string, string],
): boolean | undefined {
  const [one, other] = names.map((name) =>
    traitsOf(exchanges.find(({ step }) => step.name === name)).get('ResponseMsg'),
  )
  return one === undefined || other === undefined ? undefined : isSameTrait(one, other)
}

function nearestOf(
  candidates: readonly Candidate[],
  votes: readonly MatchingCandidates[],
  exchanges: readonly ProbeExchange[],
): Candidate {
  const ranked = candidates.map((candidate) => ({
    candidate,
    votes: votes.filter(({ agreeing }) => agreeing.has(candidate)).length,
    differences: differencesFrom(candidate, exchanges).length,
  }))
  return ranked.toSorted((a, b) => b.votes - a.votes || a.differences - b.differences)[0]!.candidate
}

const differencesFrom = (candidate: Candidate, exchanges: readonly ProbeExchange[]): ProbeDifference[] =>
  exchanges.flatMap((exchange, index) => {
    const expectedExchange = candidate.exchanges[index]
    if (!exchange.answer || !expectedExchange?.answer) return []
    const all = compareAnswers(expectedExchange.answer, exchange.answer)
    return limitDifferences(all, MAX_DIFFERENCES).map((difference) => ({
      ...difference,
      exchange,
      expectedExchange,
    }))
  })
