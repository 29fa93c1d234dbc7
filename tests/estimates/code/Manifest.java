package harbour.cargo;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The list of what a ship carries. */
public final class Manifest {
    private static final BigDecimal LIMIT = new BigDecimal("24500.00");

    private final String vessel;
    private final List<Container> containers = new ArrayList<>();

    public Manifest(String vessel) {
        if (vessel == null || vessel.isBlank()) {
            throw new IllegalArgumentException("vessel must not be blank");
        }
        this.vessel = vessel;
    }

    public synchronized void add(Container container) {
        BigDecimal total = totalWeight().add(container.weight());
        if (total.compareTo(LIMIT) > 0) {
            throw new IllegalStateException(String.format("%s: %s kg is above the limit of %s kg", vessel, total, LIMIT));
        }
        containers.add(container);
    }

    public BigDecimal totalWeight() {
        return containers.stream().map(Container::weight).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    public Optional<Container> heaviest() {
        return containers.stream().max((a, b) -> a.weight().compareTo(b.weight()));
    }

    public List<String> numbers() {
        return Collections.unmodifiableList(
            containers.stream().map(Container::number).sorted().collect(Collectors.toList()));
    }

    public record Container(String number, BigDecimal weight, boolean refrigerated) {}
}
