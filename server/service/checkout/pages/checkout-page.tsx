/** @jsxImportSource hono/jsx */
import type { Child } from 'hono/jsx'
import type { Link } from '../../../domain/links/link.ts'
import { formatEuros } from '../../../domain/money/cents.ts'
import type { DeveloperInfo } from '../developer-info.ts'
import { DeveloperBox } from './developer-box.tsx'
import { Mark } from './mark.tsx'
import { checkoutPath } from '../paths.ts'
import { Note } from './note.tsx'
import { PageLayout } from './page.tsx'

interface Props {
  readonly link: Link
  readonly payee: string
  readonly developerInfo: DeveloperInfo
  /** The result of the last attempt to pay. */
  readonly lastAttempt?: 'declined' | 'transfer rejected' | undefined
  /** Why the action was not carried out. */
  readonly problem?: string | undefined
}

/**
 * The page of an unpaid link. Forms work without scripts. Tests of users' projects depend on the names of its buttons and
 * fields.
 */
export function CheckoutPage({ link, payee, developerInfo, lastAttempt, problem }: Props) {
  const amount = formatEuros(link.amount)

  return (
    <PageLayout
      title={lastAttempt === 'declined' ? DECLINED : `Pay ${amount} to ${payee}`}
      payId={link.payId}
      developer={<DeveloperBox link={link} info={developerInfo} />}
    >
      {lastAttempt === 'declined' && (
        <div class="declined" role="alert">
          <Mark sign="failed" />
          <h1>{DECLINED}</h1>
          <p class="muted">Nothing was paid. You can try again.</p>
        </div>
      )}
      {lastAttempt === 'transfer rejected' && (
        <Notice tone="err">Your bank transfer did not arrive, so nothing was paid. You can pay again.</Notice>
      )}
      {problem !== undefined && <Notice tone="err">{problem}.</Notice>}
      <p class="payee">
        Payment to <strong dir="auto">{payee}</strong>
      </p>
      {lastAttempt === 'declined' ? <p class="amount">{amount}</p> : <h1>{amount}</h1>}
      <Note text={link.note} />
      <form method="post" action={checkoutPath(link)}>
        {link.bankTransfer ? <Methods /> : <CardOnly />}
        <button class="primary" name="outcome" value="pay">
          Pay {amount}
        </button>
        {link.cancellable && (
          <button class="quiet" name="outcome" value="cancel">
            Cancel payment
          </button>
        )}
      </form>
    </PageLayout>
  )
}

const DECLINED = 'Your bank declined the payment'

export const Notice = ({ tone = 'warn', children }: { tone?: 'warn' | 'err'; children?: Child }) => (
  <p class="notice" role="alert" data-tone={tone}>
    {children}
  </p>
)

const CardOnly = () => (
  <>
    <input type="hidden" name="method" value="card" />
    <p class="muted only">You pay by card. The payment is confirmed at once.</p>
  </>
)

/** The accessible name of a method is only its first line. */
const Methods = () => (
  <fieldset>
    <legend>How do you want to pay?</legend>
    <label class="method">
      <input
        type="radio"
        name="method"
        value="card"
        checked
        aria-labelledby="card"
        aria-describedby="card-text"
      />
      <span>
        <span id="card">Card</span>
        <small id="card-text">Confirmed at once</small>
      </span>
    </label>
    <label class="method">
      <input
        type="radio"
        name="method"
        value="bank-transfer"
        aria-labelledby="bank-transfer"
        aria-describedby="bank-transfer-text"
      />
      <span>
        <span id="bank-transfer">Bank transfer</span>
        <small id="bank-transfer-text">Confirmed when the money has arrived</small>
      </span>
    </label>
  </fieldset>
)
