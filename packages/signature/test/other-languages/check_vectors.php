<?php
// Checks `authentic` of every vector: php check_vectors.php test-vectors.json
require __DIR__ . '/verify.php';

$vectors = json_decode(file_get_contents($argv[1]), true, flags: JSON_THROW_ON_ERROR)['vectors'];
$wrong = [];
foreach ($vectors as $vector) {
    $headers = [];
    foreach ($vector['headers'] as [$name, $value]) $headers[strtolower($name)][] = $value;
    try {
        $body = base64_decode($vector['body']['base64'], true);
        $genuine = verify_delivery($body, $headers, $vector['secrets'], $vector['toleranceSeconds'], $vector['now']);
    } catch (InvalidArgumentException) {
        $genuine = false; // no secret, or an empty one
    }
    if ($genuine !== $vector['authentic']) $wrong[] = $vector['name'];
}
echo count($vectors), ' vectors, ', count($wrong), " wrong\n", implode("\n", $wrong), "\n";
exit($wrong !== [] || $vectors === [] ? 1 : 0);
