// The two ways to use the page: with the mouse (or a finger), and with the keyboard alone. What a hand cannot reach,
// a visitor cannot either.

/** As many stops as no page of ours has. */
const MOST_STOPS = 150;

export const HANDS = {
  mouse: {
    press: (_, target) => target.click(),

    toggle: (_, box) => box.click(),

    choose: (_, select, value) => select.selectOption(value),

    check: (_, radio) => radio.click(),

    async write(page, field, text) {
      await field.click({ clickCount: 3 });
      await page.keyboard.insertText(text);
    },

    tab: (page, list, name) => page.getByRole("tablist", { name: list }).getByRole("tab", { name, exact: true }).click(),

    /** Moves a slider to a share of its length. */
    async slide(page, slider, share) {
      await slider.scrollIntoViewIfNeeded();
      const box = await slider.boundingBox();
      const now = Number(await slider.inputValue()) / Number(await slider.getAttribute("max"));
      const y = box.y + box.height / 2;
      await page.mouse.move(box.x + box.width * now, y);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * share, y, { steps: 8 });
      await page.mouse.up();
    },

    /** Presses an option of a list. */
    async pick(page, list, name) {
      await list.getByRole("option", { name }).first().click();
    },
  },

  keyboard: {
    async press(page, target) {
      await reach(page, target);
      await page.keyboard.press("Enter");
    },

    async toggle(page, box) {
      await reach(page, box);
      await page.keyboard.press("Space");
    },

    async choose(page, select, value) {
      await reach(page, select);
      await page.keyboard.press("Home");
      for (let stop = 0; (await select.inputValue()) !== value; stop += 1) {
        if (stop > MOST_STOPS) throw new Error(`${value} cannot be chosen by arrows`);
        await page.keyboard.press("ArrowDown");
      }
    },

    /** The arrows go through a group of radio buttons; Tab meets the one that is checked. */
    async check(page, radio) {
      const name = await radio.getAttribute("name");
      await reach(page, page.locator(`input[name="${name}"]:checked`));
      for (let stop = 0; !(await radio.isChecked()); stop += 1) {
        if (stop > MOST_STOPS) throw new Error("a choice cannot be reached by arrows");
        await page.keyboard.press("ArrowDown");
      }
    },

    async write(page, field, text) {
      await reach(page, field);
      await page.keyboard.press("Control+A");
      await page.keyboard.insertText(text);
    },

    /** Tab meets the open tab; the arrows open the others. */
    async tab(page, list, name) {
      const tabs = page.getByRole("tablist", { name: list });
      const wanted = tabs.getByRole("tab", { name, exact: true });
      await reach(page, tabs.getByRole("tab", { selected: true }));
      for (let stop = 0; (await wanted.getAttribute("aria-selected")) !== "true"; stop += 1) {
        if (stop > MOST_STOPS) throw new Error(`the tab ${name} cannot be reached by arrows`);
        await page.keyboard.press("ArrowRight");
      }
    },

    async slide(page, slider, share) {
      await reach(page, slider);
      await page.keyboard.press("Home");
      const most = Number(await slider.getAttribute("max"));
      for (let stop = 0; Number(await slider.inputValue()) < most * share; stop += 1) {
        if (stop > MOST_STOPS) throw new Error("the slider cannot be moved by keys");
        await page.keyboard.press("PageUp");
      }
    },

    /** The arrows go through a list; Enter takes what they are at. */
    async pick(page, list, name) {
      await reach(page, list);
      await page.keyboard.press("Home");
      for (let stop = 0; !name.test(await activeOption(list)); stop += 1) {
        if (stop > MOST_STOPS) throw new Error(`${name} cannot be reached by arrows`);
        await page.keyboard.press("ArrowDown");
        if (name.test(await activeOption(list))) break;
        await page.keyboard.press("ArrowRight");
      }
      await page.keyboard.press("Enter");
    },
  },
};

/** Goes on with Tab until the focus is there. */
async function reach(page, target) {
  await target.waitFor();
  const hasFocus = () => target.evaluate((element) => element === document.activeElement);
  for (let stop = 0; !(await hasFocus()); stop += 1) {
    if (stop > MOST_STOPS) throw new Error(`Tab does not lead to ${target}`);
    await page.keyboard.press("Tab");
  }
}

/** What a list says of the option that its arrows are at. */
function activeOption(list) {
  return list.evaluate((element) => {
    const option = document.getElementById(element.getAttribute("aria-activedescendant") ?? "");
    return option?.getAttribute("aria-label") ?? option?.textContent ?? "";
  });
}
