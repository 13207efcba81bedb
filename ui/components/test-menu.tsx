import { Icon } from './icon.tsx'
import { MenuButton } from './menu-button.tsx'
import type { TestFormat } from '../../server/contract/test-format.ts'

/** A menu that downloads an event, a payment or a failed case as a test, in several formats. */
export const TestMenu = ({ onDownload }: { readonly onDownload: (format: TestFormat) => unknown }) => (
  <MenuButton
    class="quiet"
    button={
      <>
        Download as test
        <Icon name="down" size={14} />
      </>
    }
  >
    <button type="button" onClick={() => void onDownload('vitest')}>
      Vitest
    </button>
    <button type="button" onClick={() => void onDownload('shell')}>
      Shell script
    </button>
  </MenuButton>
)
