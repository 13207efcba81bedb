/** @jsxImportSource hono/jsx */
import type { Link } from '../domain/link.ts'
import { formatEuros } from '../domain/money.ts'
import { Page } from './page.tsx'

interface Props {
  readonly link: Link
  readonly payee: string
  /** Who gets which part, for the developer. */
  readonly parts: readonly { readonly name: string; readonly amount: number }[]
  /** What went wrong with the last try. */
  readonly notice?: string | undefined
}

/** An open link: pay or cancel. Every form works without a script. */
export function CheckoutPage({ link, payee, parts, notice }: Props) {
  const amount = formatEuros(link.amount)

  return (
    <Page
      title={`Pay ${amount} to ${payee}`}
      payId={link.payId}
      developer={<DeveloperStrip link={link} parts={parts} />}
    >
      {notice !== undefined && (
        <p class="notice" role="alert">
          {notice}
        </p>
      )}
      <p class="payee">
        Payment to <strong>{payee}</strong>
      </p>
      <h1>{amount}</h1>
      {link.note !== '' && <p class="note">{link.note}</p>}
      <form method="post">
        {link.bankTransfer ? <Methods /> : <input type="hidden" name="method" value="card" />}
        <button class="primary" name="outcome" value="pay">
          Pay {amount}
        </button>
        {link.cancellable && (
          <button class="quiet" name="outcome" value="cancel">
            Cancel payment
          </button>
        )}
      </form>
    </Page>
  )
}

const Methods = () => (
  <fieldset>
    <legend>How do you want to pay?</legend>
    <label class="method">
      <input type="radio" name="method" value="card" checked />
      <span>
        Card
        <small>Confirmed at once</small>
      </span>
    </label>
    <label class="method">
      <input type="radio" name="method" value="bank-transfer" />
      <span>
        Bank transfer
        <small>Confirmed when the money has arrived</small>
      </span>
    </label>
  </fieldset>
)

function DeveloperStrip({ link, parts }: Pick<Props, 'link' | 'parts'>) {
  return (
    <>
      <h2>For the developer</h2>
      <p class="muted">A real checkout does not have these.</p>
      {link.kind === 'split' && (
        <>
          <p>This payment is split:</p>
          <ul>
            {parts.map(({ name, amount }) => (
              <li>
                {name} {formatEuros(amount)}
              </li>
            ))}
          </ul>
        </>
      )}
      <form method="post">
        <input type="hidden" name="method" value="card" />
        <button name="outcome" value="decline">
          Decline the card
        </button>
        <button name="outcome" value="pay-and-close">
          Pay, then close the browser
        </button>
      </form>
    </>
  )
}
