// A module worker that counts with a vocabulary. Import maps do not hold here: the package is named by its address.
onmessage = async ({ data: folder }) => {
  const { countTokens, loadTokenizer } = await import(`${folder}/browser.mjs`);
  await loadTokenizer("o200k_base");
  postMessage(countTokens("héllo", "o200k_base"));
};
