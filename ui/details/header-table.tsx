import type { Headers } from '../../server/domain/exchange.ts'
import { copy } from '../clipboard.ts'

export function HeaderTable({ headers }: { readonly headers: Headers }) {
  if (headers.length === 0) return <p class="muted">No headers.</p>
  return (
    <table class="headers">
      <caption>Headers</caption>
      <tbody>
        {headers.map(([name, value], index) => (
          <tr key={index}>
            <th scope="row">{name}</th>
            <td>
              {value}
              <button
                type="button"
                class="small copy"
                aria-label={`Copy the value of ${name}`}
                onClick={() => copy(value, name)}
              >
                Copy
              </button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
