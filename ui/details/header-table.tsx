import type { Headers } from '../../server/domain/http/exchange.ts'
import { CopyButton } from '../components/copy-button.tsx'

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
              <CopyButton text={value} what={`the value of ${name}`} class="copy" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
